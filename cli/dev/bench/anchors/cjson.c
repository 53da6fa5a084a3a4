/*
 * cjson.c - parse a JSON file into cJSON's tree, the whole document at once.
 */
#include "whole_file.h"

#include <cjson/cJSON.h>

int main(int argc, char **argv)
{
    size_t size;
    const char *text = argc == 2 ? whole_file(argv[1], &size) : NULL;

    if (!text)
        return 3;
    return cJSON_ParseWithLength(text, size) ? 0 : 1;
}
