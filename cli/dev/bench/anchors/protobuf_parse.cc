/*
 * protobuf_parse.cc - parse a DiscoveryResponse in binary with the C++ library of
 * protobuf: on an arena, and every Any inside of it into its own type.
 *
 * Takes: the file. Only fields that can lead to an Any are walked, so that the walk costs
 *        little beside the parsing; an Any of a type that is not linked in is an error.
 */
#include "envoy.service.discovery.v3.pb.h"
#include "whole_file.h"

#include <google/protobuf/arena.h>
#include <google/protobuf/dynamic_message.h>
#include <set>
#include <unordered_map>
#include <vector>

using google::protobuf::Any;
using google::protobuf::Arena;
using google::protobuf::Descriptor;
using google::protobuf::DescriptorPool;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::MessageFactory;
using Fields = std::vector<const FieldDescriptor *>;
using Response = envoy::service::discovery::v3::DiscoveryResponse;

static bool leads_to_any(const Descriptor *type, std::set<const Descriptor *> *seen)
{
    if (type == Any::descriptor())
        return true;
    if (!type || !seen->insert(type).second)
        return false;
    for (int i = 0; i < type->field_count(); i++)
        if (leads_to_any(type->field(i)->message_type(), seen))
            return true;
    return false;
}

/* The fields of a message that can lead to an Any, found once for each type. */
static const Fields &fields_to_any(const Descriptor *type)
{
    static std::unordered_map<const Descriptor *, Fields> known;
    const auto [entry, is_new] = known.try_emplace(type);

    for (int i = 0; is_new && i < type->field_count(); i++) {
        std::set<const Descriptor *> seen;

        if (leads_to_any(type->field(i)->message_type(), &seen))
            entry->second.push_back(type->field(i));
    }
    return entry->second;
}

static Message *new_message(const std::string &url, Arena *arena)
{
    const std::string name = url.substr(url.rfind('/') + 1);
    const Descriptor *type =
        DescriptorPool::generated_pool()->FindMessageTypeByName(name);

    if (!type)
        std::fprintf(stderr, "no type %s\n", name.c_str());
    return type ? MessageFactory::generated_factory()->GetPrototype(type)->New(arena)
                : nullptr;
}

static bool unpack_below(const Message &message, Arena *arena);

static bool unpack_any(const Any &any, Arena *arena)
{
    Message *inside = new_message(any.type_url(), arena);

    return inside && inside->ParseFromString(any.value()) && unpack_below(*inside, arena);
}

static bool unpack(const Message &message, Arena *arena)
{
    return message.GetDescriptor() == Any::descriptor()
               ? unpack_any(static_cast<const Any &>(message), arena)
               : unpack_below(message, arena);
}

static bool unpack_below(const Message &message, Arena *arena)
{
    const auto *reflection = message.GetReflection();

    for (const FieldDescriptor *field : fields_to_any(message.GetDescriptor())) {
        if (!field->is_repeated()) {
            if (reflection->HasField(message, field) &&
                !unpack(reflection->GetMessage(message, field), arena))
                return false;
            continue;
        }
        const int n = reflection->FieldSize(message, field);

        for (int i = 0; i < n; i++)
            if (!unpack(reflection->GetRepeatedMessage(message, field, i), arena))
                return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    size_t size = 0;
    const char *bytes = argc == 2 ? whole_file(argv[1], &size) : nullptr;
    auto *arena = new Arena; // never given back
    auto *response = Arena::CreateMessage<Response>(arena);

    if (!bytes)
        return 3;
    if (!response->ParseFromArray(bytes, static_cast<int>(size)))
        return 1;
    return unpack(*response, arena) ? 0 : 1;
}
