/*
 * yaml_events.c - run a YAML file through libyaml's event loop and look at no event.
 */
#include <stdio.h>
#include <yaml.h>

static int visit_events(yaml_parser_t *parser)
{
    yaml_event_type_t type;
    yaml_event_t event;

    do {
        if (!yaml_parser_parse(parser, &event))
            return 1;
        type = event.type;
        yaml_event_delete(&event);
    } while (type != YAML_STREAM_END_EVENT);
    return 0;
}

static int read_events(FILE *file)
{
    yaml_parser_t parser;

    if (!yaml_parser_initialize(&parser))
        return 3;
    yaml_parser_set_input_file(&parser, file);
    const int status = visit_events(&parser);

    yaml_parser_delete(&parser);
    return status;
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;

    if (!file)
        return 3;
    const int status = read_events(file);

    (void)fclose(file);
    return status;
}
