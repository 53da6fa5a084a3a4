import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Words TARGET...: an RPC to each xds:///TARGET; a line of JSON with its status. */
public final class Words {
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

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : String.valueOf(text).toCharArray()) {
      out.append(c == '"' || c == '\\' ? "\\" + c : c < ' ' ? " " : String.valueOf(c));
    }
    return out.append('"').toString();
  }

  private static void ask(String target) {
    MethodDescriptor<byte[], byte[]> method =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("s.S/M")
            .setRequestMarshaller(BYTES)
            .setResponseMarshaller(BYTES)
            .build();
    ManagedChannel channel =
        ManagedChannelBuilder.forTarget("xds:///" + target).usePlaintext().build();
    String code = "OK";
    String text = "";
    try {
      ClientCalls.blockingUnaryCall(
          channel, method, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS), new byte[0]);
    } catch (StatusRuntimeException e) {
      code = e.getStatus().getCode().name();
      text = e.getStatus().getDescription();
    }
    synchronized (Words.class) {
      System.out.println(
          "{\"target\": " + quoted(target) + ", \"code\": " + quoted(code) + ", \"text\": " + quoted(text) + "}");
    }
  }

  public static void main(String[] targets) throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (String target : targets) {
      Thread thread = new Thread(() -> ask(target));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.exit(0);
  }
}
