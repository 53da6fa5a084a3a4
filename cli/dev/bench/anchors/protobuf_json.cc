/*
 * protobuf_json.cc - parse a DiscoveryResponse in JSON with the C++ library of protobuf,
 * on an arena. Types of Any are found in the pool of what protoc generated.
 */
#include "envoy.service.discovery.v3.pb.h"
#include "whole_file.h"

#include <google/protobuf/arena.h>
#include <google/protobuf/util/json_util.h>

using Response = envoy::service::discovery::v3::DiscoveryResponse;

int main(int argc, char **argv)
{
    size_t size = 0;
    const char *text = argc == 2 ? whole_file(argv[1], &size) : nullptr;
    auto *arena = new google::protobuf::Arena; // never given back
    auto *response = google::protobuf::Arena::CreateMessage<Response>(arena);

    if (!text)
        return 3;
    const auto status =
        google::protobuf::util::JsonStringToMessage({text, size}, response);

    if (!status.ok())
        std::fprintf(stderr, "%s\n", status.ToString().c_str());
    return status.ok() ? 0 : 1;
}
