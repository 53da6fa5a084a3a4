/* trivial.c - the least that a program with our libraries costs: an anchor for start-up.
 */
#include <cjson/cJSON.h>
#include <protobuf-c/protobuf-c.h>
#include <stdio.h>
#include <xxhash.h>
#include <yaml.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

int main(void)
{
    char version[64];

    pcre2_config(PCRE2_CONFIG_VERSION, version);
    printf("%s %s %s %s %u\n", cJSON_Version(), protobuf_c_version(),
           yaml_get_version_string(), version, XXH_versionNumber());
    return 0;
}
