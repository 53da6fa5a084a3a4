/* yaml_harness.h - does YAML that is read line by line mean what libyaml says? */
#ifndef XDS_FUZZ_YAML_HARNESS_H
#define XDS_FUZZ_YAML_HARNESS_H

#include "fuzz/memory.h"

/* Fails when a text gives other tokens one way than the other. Gives how many tokens came
 * without libyaml. path: where the text is read from, or NULL. */
size_t xds_yaml_compare(struct xds_slice text, const char *path);

#endif
