import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.xds.XdsServerBuilder;
import io.grpc.xds.XdsServerCredentials;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * An xDS server of grpc-java. A line of JSON in starts one and stops the one before, a line out
 * says what its listener is. See servers.py.
 */
public final class XdsServer {
  private static final Logger LOGGER = Logger.getLogger("io.grpc");
  private static final Metadata.Key<String> SERVED =
      Metadata.Key.of("x-served", Metadata.ASCII_STRING_MARSHALLER);

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

  /** Until the peer has sent all that it has. */
  private static ServerCall.Listener<byte[]> serve(ServerCall<byte[], byte[]> call) {
    Metadata headers = new Metadata();
    headers.put(SERVED, "1");
    call.sendHeaders(headers);
    call.request(2);
    return new ServerCall.Listener<byte[]>() {
      @Override
      public void onHalfClose() {
        call.sendMessage(new byte[0]);
        call.close(Status.OK, new Metadata());
      }
    };
  }

  /** Has every method. */
  private static final class AnyMethod extends HandlerRegistry {
    @Override
    public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
      ServerCallHandler<byte[], byte[]> handler = (call, headers) -> serve(call);
      return ServerMethodDefinition.create(
          MethodDescriptor.newBuilder(BYTES, BYTES)
              .setType(MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(name)
              .build(),
          handler);
    }
  }

  /** Its events. */
  private static final class Modes implements XdsServerBuilder.XdsServingStatusListener {
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    @Override
    public void onServing() {
      events.add("SERVING");
    }

    @Override
    public void onNotServing(Throwable reason) {
      events.add("NOT_SERVING: " + reason);
    }
  }

  /** What the library logs as severe, such as an exception that nothing catches, is an event. */
  private static void listen(Modes modes) {
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            modes.events.add("LOG: " + record.getMessage() + " " + record.getThrown());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    LOGGER.setLevel(Level.SEVERE);
    for (Handler before : LOGGER.getHandlers()) {
      LOGGER.removeHandler(before);
    }
    LOGGER.addHandler(handler);
  }

  private static Server start(JsonObject asked, Modes modes, Map<String, Object> told)
      throws Exception {
    String address = asked.get("address").getAsString();
    listen(modes);
    XdsServerBuilder builder =
        ((XdsServerBuilder)
                XdsServerBuilder.forPort(
                        Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)),
                        XdsServerCredentials.create(InsecureServerCredentials.create()))
                    .fallbackHandlerRegistry(new AnyMethod()))
            .xdsServingStatusListener(modes);
    if (asked.has("grace")) {
      builder.drainGraceTime((long) (1000 * asked.get("grace").getAsDouble()), TimeUnit.MILLISECONDS);
    }
    Server server = builder.build();
    List<String> seen = new ArrayList<>();
    told.put("modes", seen);
    // start() returns only when the server serves or has failed.
    Thread starting =
        new Thread(
            () -> {
              try {
                server.start();
              } catch (IOException | RuntimeException e) {
                modes.events.add("start: " + e);
              }
            });
    starting.setDaemon(true);
    starting.start();
    long millis = (long) (1000 * asked.get("seconds").getAsDouble());
    String event = modes.events.poll(millis, TimeUnit.MILLISECONDS);
    if (event != null) {
      seen.add(event);
    }
    return server;
  }

  public static void main(String[] args) throws Exception {
    LogManager.getLogManager().reset();
    PrintStream out = new PrintStream(System.out, true, "UTF-8");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Server server = null;
    Modes modes = new Modes();
    for (String line; (line = in.readLine()) != null; ) {
      Map<String, Object> told = new HashMap<>();
      JsonObject asked = new JsonParser().parse(line).getAsJsonObject();
      if (asked.has("modes")) {
        List<String> seen = new ArrayList<>();
        modes.events.drainTo(seen);
        told.put("modes", seen);
      } else {
        Server before = server;
        modes = new Modes();
        server = start(asked, modes, told);
        if (before != null) {
          before.shutdownNow();
        }
      }
      out.println(new Gson().toJson(told));
    }
    System.exit(0);
  }
}
