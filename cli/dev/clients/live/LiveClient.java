import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Makes the RPCs of cases with grpc-java: a line of JSON in for each case, one out. See live.py.
 *
 * <p>What the config selector has decided is in the options of the call when its stream is made:
 * the names of these options are not public.
 */
public final class LiveClient {
  private static final long SETTLE_MS = 300; // for connections that the first RPCs have begun
  private static final long LONGEST_S = 30; // for an RPC without a deadline
  private static final Gson GSON = new GsonBuilder().serializeNulls().create();

  private static final CallOptions.Key<?> CLUSTER =
      key("io.grpc.xds.XdsNameResolver", "CLUSTER_SELECTION_KEY");
  private static final CallOptions.Key<?> HASH =
      key("io.grpc.xds.XdsNameResolver", "RPC_HASH_KEY");
  private static final CallOptions.Key<?> METHOD =
      key("io.grpc.internal.ManagedChannelServiceConfig$MethodInfo", "KEY");

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<byte[]>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          return new byte[0];
        }
      };

  private static CallOptions.Key<?> key(String type, String name) {
    try {
      return (CallOptions.Key<?>) get(Class.forName(type), null, name);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object get(Class<?> type, Object object, String name)
      throws ReflectiveOperationException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(object);
  }

  private static double seconds(Object nanos) {
    return ((Long) nanos).doubleValue() / 1e9;
  }

  /** One RPC: what was decided for it, and what came of it. */
  private static final class Rpc extends ClientStreamTracer.Factory {
    private CallOptions options; // null: no stream was made
    private String host;
    private String attempt;
    private List<String> cookies = new ArrayList<>();
    private Status status;
    private final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public ClientStreamTracer newClientStreamTracer(
        ClientStreamTracer.StreamInfo info, Metadata headers) {
      options = info.getCallOptions();
      return new ClientStreamTracer() {};
    }

    private final class Listener extends ClientCall.Listener<byte[]> {
      @Override
      public void onHeaders(Metadata headers) {
        host = headers.get(ascii("x-host"));
        Iterable<String> all = headers.getAll(ascii("set-cookie"));
        if (all != null) {
          all.forEach(cookies::add);
        }
      }

      @Override
      public void onClose(Status end, Metadata trailers) {
        attempt = trailers.get(ascii("x-attempt"));
        status = end;
        closed.countDown();
      }
    }

    private static Rpc make(ManagedChannel channel, JsonObject request) throws Exception {
      Rpc rpc = new Rpc();
      MethodDescriptor<byte[], byte[]> method =
          MethodDescriptor.newBuilder(BYTES, BYTES)
              .setType(MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(request.get("path").getAsString().substring(1))
              .build();
      long deadline = request.has("deadline") ? request.get("deadline").getAsLong() : LONGEST_S;
      CallOptions options =
          CallOptions.DEFAULT
              .withDeadlineAfter(deadline, TimeUnit.SECONDS)
              .withStreamTracerFactory(rpc);
      try {
        ClientCall<byte[], byte[]> call = channel.newCall(method, options);
        call.start(rpc.new Listener(), metadata(request));
        call.request(2);
        call.sendMessage(new byte[0]);
        call.halfClose();
      } catch (RuntimeException e) {
        rpc.status = Status.fromThrowable(e).withDescription("the call throws " + e);
        return rpc;
      }
      rpc.closed.await();
      return rpc;
    }

    private String cluster() {
      String name = (String) options.getOption(CLUSTER);
      return name == null ? null : name.replaceFirst("^cluster:", "");
    }

    private String hash() {
      Object hash = options.getOption(HASH);
      return hash == null ? null : Long.toUnsignedString((Long) hash);
    }

    private Object method(String field) throws ReflectiveOperationException {
      Object info = options.getOption(METHOD);
      return info == null ? null : get(info.getClass(), info, field);
    }

    private Object timeout() throws ReflectiveOperationException {
      Object nanos = method("timeoutNanos");
      return nanos == null ? null : seconds(nanos);
    }

    private Object retry() throws ReflectiveOperationException {
      Object policy = method("retryPolicy");
      if (policy == null) {
        return null;
      }
      Class<?> type = policy.getClass();
      Set<String> codes = new TreeSet<>();
      ((Collection<?>) get(type, policy, "retryableStatusCodes"))
          .forEach(code -> codes.add(code.toString()));
      Map<String, Object> out = new HashMap<>();
      out.put("attempts", get(type, policy, "maxAttempts"));
      out.put("initial", seconds(get(type, policy, "initialBackoffNanos")));
      out.put("max", seconds(get(type, policy, "maxBackoffNanos")));
      out.put("codes", codes);
      return out;
    }

    private Object choice() throws ReflectiveOperationException {
      Map<String, Object> out = new TreeMap<>();
      out.put("cluster", cluster());
      out.put("hash", hash());
      out.put("timeout", timeout());
      out.put("retry", retry());
      return out;
    }
  }

  private static Metadata.Key<String> ascii(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  private static Metadata metadata(JsonObject request) {
    Metadata out = new Metadata();
    for (JsonElement header : request.getAsJsonArray("headers")) {
      JsonArray pair = header.getAsJsonArray();
      String name = pair.get(0).getAsString();
      String value = pair.get(1).getAsString();
      if (name.endsWith("-bin")) {
        out.put(
            Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER),
            Base64.getDecoder().decode(value));
      } else {
        out.put(ascii(name), value);
      }
    }
    return out;
  }

  private static void count(Map<String, Integer> counts, String name) {
    counts.merge(name, 1, Integer::sum);
  }

  // ---- the channels of a case ----

  private final String target;
  private final Map<String, ManagedChannel> channels = new HashMap<>();

  private LiveClient(String target) {
    this.target = target;
  }

  /** There are two for each authority, as each has an id of its own. */
  private ManagedChannel channel(JsonObject request, int which) {
    String authority = request.has("authority") ? request.get("authority").getAsString() : null;
    return channels.computeIfAbsent(
        which + " " + authority,
        unused -> {
          ManagedChannelBuilder<?> builder =
              Grpc.newChannelBuilder(target, InsecureChannelCredentials.create());
          if (authority != null) {
            builder.overrideAuthority(authority);
          }
          return builder.build();
        });
  }

  private void close() {
    channels.values().forEach(ManagedChannel::shutdownNow);
  }

  private void putDecision(Map<String, Object> out, List<Rpc> rpcs, JsonObject request)
      throws Exception {
    Map<String, Integer> clusters = new TreeMap<>();
    Set<Object> hashes = new LinkedHashSet<>();
    Set<Object> choices = new LinkedHashSet<>();
    for (Rpc rpc : rpcs) {
      if (rpc.options == null || rpc.cluster() == null) {
        return;
      }
      count(clusters, rpc.cluster());
      hashes.add(rpc.hash());
      choices.add(rpc.choice());
    }
    out.put("clusters", clusters);
    out.put("choices", choices);
    if (clusters.size() == 1) {
      Object hash = hashes.iterator().next();
      out.put("hash", hashes.size() == 1 && isOfRequest(hash, request) ? hash : null);
    }
  }

  /** Has an RPC of another channel the same hash? */
  private boolean isOfRequest(Object hash, JsonObject request) throws Exception {
    Rpc other = Rpc.make(channel(request, 1), request);
    return other.options != null && Objects.equals(hash, other.hash());
  }

  private Map<String, Object> ask(JsonObject request, int repeat) throws Exception {
    Map<String, Integer> hosts = new TreeMap<>();
    Map<String, Integer> failures = new TreeMap<>();
    Map<String, Integer> attempts = new TreeMap<>();
    Set<List<String>> cookies = new LinkedHashSet<>();
    List<Rpc> rpcs = new ArrayList<>();
    Map<String, Object> out = new HashMap<>();
    for (int i = 0; i < repeat; i++) {
      Rpc rpc = Rpc.make(channel(request, 0), request);
      rpcs.add(rpc);
      if (rpc.status.isOk()) {
        count(hosts, rpc.host);
        cookies.add(rpc.cookies);
        continue;
      }
      count(failures, rpc.status.getCode().toString());
      out.put("message", rpc.status.getDescription());
      if (rpc.attempt != null) {
        count(attempts, rpc.attempt);
      }
    }
    out.put("hosts", hosts);
    out.put("failures", failures);
    out.put("attempts", attempts);
    out.put("set_cookie", cookies);
    putDecision(out, rpcs, request);
    return out;
  }

  private static Map<String, Object> run(JsonObject asked) throws Exception {
    LiveClient client = new LiveClient(asked.get("target").getAsString());
    JsonArray requests = asked.getAsJsonArray("requests");
    List<Object> answers = new ArrayList<>();
    for (JsonElement request : requests) {
      client.ask(request.getAsJsonObject(), 1);
    }
    Thread.sleep(SETTLE_MS);
    for (JsonElement element : requests) {
      JsonObject request = element.getAsJsonObject();
      answers.add(client.ask(request, request.get("repeat").getAsInt()));
    }
    client.close();
    Map<String, Object> out = new HashMap<>();
    out.put("case", asked.get("case").getAsInt());
    out.put("answers", answers);
    return out;
  }

  public static void main(String[] args) throws Exception {
    java.util.logging.LogManager.getLogManager().reset();
    PrintStream out = new PrintStream(System.out, true, "UTF-8");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = in.readLine()) != null; ) {
      out.println(GSON.toJson(run(new JsonParser().parse(line).getAsJsonObject())));
    }
    System.exit(0);
  }
}
