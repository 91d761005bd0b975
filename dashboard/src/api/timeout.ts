/**
 * Time after which a request without an answer is given up, as if the server could not be reached. The server itself gives up sooner:
 * on its database after eight seconds, on Stripe after ten.
 */
export const requestTimeoutMs = 30_000;
