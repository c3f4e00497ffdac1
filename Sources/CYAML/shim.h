// libyaml, which reads YAML 1.1 as a row of events.

#ifndef ASSAY_CYAML_SHIM_H
#define ASSAY_CYAML_SHIM_H

#include <yaml.h>

#endif
