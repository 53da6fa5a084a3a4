/* request_json.h - one RPC from a JSON object. */
#ifndef XDS_CLI_REQUEST_JSON_H
#define XDS_CLI_REQUEST_JSON_H

#include "cli/request.h"

struct cJSON;

/* Set what the members of the object say; text stays the object's. Members are named as
 * the options, with underscores. False: `error` says what is wrong. */
bool request_from_json(struct request *request, const struct cJSON *object,
                       char error[OPTIONS_ERROR_SIZE]);

#endif
