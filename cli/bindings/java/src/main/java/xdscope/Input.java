package xdscope;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.protobuf.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What is judged: contents of files, and messages. */
public final class Input {
    private static final Pattern ENDINGS =
            Pattern.compile("\\.(json|ndjson|jsonl|yaml|yml|pb|binpb|txtpb|textproto|pb_text|pbtxt|prototxt)(\\.gz|\\.zst)?$");

    final JsonArray entries = new JsonArray();
    final List<byte[]> contents = new ArrayList<>();

    /** A file as xdscope reads it: YAML, JSON, text proto or binary. */
    public Input file(String name, byte[] content) {
        entries.add(entry(name, content.length));
        contents.add(content);
        return this;
    }

    /** The same of a text. */
    public Input file(String name, String content) {
        return file(name, content.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The files of a folder, as the program reads them but for links to folders, which are not followed: what is not xDS in it is no
     * fault, and its bootstrap.json is used if it is the only input.
     */
    public Input folder(Path folder) {
        List<Path> found = new ArrayList<>();
        collect(folder, found);
        JsonArray files = new JsonArray();
        for (Path path : found) {
            byte[] content;
            try {
                content = Files.readAllBytes(path);
            } catch (IOException e) {
                throw new XdscopeException(e.toString(), 3);
            }
            files.add(entry(nameOf(path), content.length));
            contents.add(content);
        }
        JsonObject entry = new JsonObject();
        entry.addProperty("name", nameOf(folder));
        entry.add("files", files);
        entries.add(entry);
        return this;
    }

    private static String nameOf(Path path) {
        return path.toString().replace('\\', '/');
    }

    /** In the order of the names. */
    private static void collect(Path folder, List<Path> found) {
        try (Stream<Path> all = Files.list(folder)) {
            for (Path path : all.sorted(Comparator.comparing(path -> path.getFileName().toString())).toList()) {
                String name = path.getFileName().toString();
                if (name.startsWith(".")) {
                    continue;
                }
                if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                    collect(path, found);
                } else if (Files.isRegularFile(path) && ENDINGS.matcher(name).find()) {
                    found.add(path);
                }
            }
        } catch (IOException e) {
            throw new XdscopeException(e.toString(), 3);
        }
    }

    private static JsonObject entry(String name, int size) {
        JsonObject entry = new JsonObject();
        entry.addProperty("name", name);
        entry.addProperty("size", size);
        return entry;
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
