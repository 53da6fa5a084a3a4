package xdscope;

/** Nothing was judged. */
public final class XdscopeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** 2: the request is wrong; 3: the input cannot be read, or memory ran out. */
    public final int status;

    XdscopeException(String message, int status) {
        super(message);
        this.status = status;
    }
}
