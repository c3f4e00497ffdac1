/* start.c: the beginning of an import. */

#include "core.h"

#include <stdio.h>

PyObject *module_start(PyModuleDef *definition) {
    int major = 0, minor = 0;
    if (sscanf(Py_GetVersion(), "%d.%d", &major, &minor) == 2 && major == 3 && minor < 12) { definition->m_slots[1].slot = 0; }
    return PyModuleDef_Init(definition);
}
