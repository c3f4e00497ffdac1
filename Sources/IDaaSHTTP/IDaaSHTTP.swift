#if HTTP
internal import HTTPGuard
internal import IDaaSFlows
#endif
