package xdscope;

import com.google.protobuf.Message;
import java.util.stream.Collectors;

/** For JUnit and every other framework whose tests fail by an AssertionError. */
public final class XdscopeAssertions {
    private XdscopeAssertions() {}

    /** Fails with a line for each error. clients: "java@1.60"; without any all are asked. */
    public static Xdscope.Report assertAccepted(Iterable<? extends Message> resources, String... clients) {
        return assertAccepted(new Input().messages(resources), clients);
    }

    /** The same of files. */
    public static Xdscope.Report assertAccepted(Input input, String... clients) {
        return assertAccepted(input, Options.of(clients));
    }

    /** With other options, such as environment variables. */
    public static Xdscope.Report assertAccepted(Input input, Options options) {
        Xdscope.Report report = Xdscope.lint(input, options);
        if (!report.accepted()) {
            throw new AssertionError(report.errors().stream()
                    .map(Xdscope.Finding::toString)
                    .collect(Collectors.joining("\n  ", "rejected by gRPC clients:\n  ", "")));
        }
        return report;
    }
}
