#include "CMallocCount.h"
int cmalloc_placeholder(void){return 0;}
