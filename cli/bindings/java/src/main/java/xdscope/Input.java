package xdscope;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.protobuf.Message;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is judged: contents of files, and messages. */
public final class Input {
    final JsonArray entries = new JsonArray();
    final List<byte[]> contents = new ArrayList<>();

    /** A file as xdscope reads it: YAML, JSON, text proto or binary. */
    public Input file(String name, byte[] content) {
        JsonObject entry = new JsonObject();
        entry.addProperty("name", name);
        entry.addProperty("size", content.length);
        entries.add(entry);
        contents.add(content);
        return this;
    }

    /** The same of a text. */
    public Input file(String name, String content) {
        return file(name, content.getBytes(StandardCharsets.UTF_8));
    }

    /** Messages, each type as the response that a control plane would send. */
    public Input messages(Iterable<? extends Message> messages) {
        Map<String, List<byte[]>> byType = new TreeMap<>();
        for (Message message : messages) {
            byType.computeIfAbsent(message.getDescriptorForType().getFullName(), type -> new ArrayList<>())
                    .add(message.toByteArray());
        }
        byType.forEach((type, encoded) -> {
            JsonObject entry = new JsonObject();
            JsonArray sizes = new JsonArray();
            encoded.forEach(content -> sizes.add(content.length));
            entry.addProperty("name", "snapshot");
            entry.addProperty("type_url", "type.googleapis.com/" + type);
            entry.add("sizes", sizes);
            entries.add(entry);
            contents.addAll(encoded);
        });
        return this;
    }
}
