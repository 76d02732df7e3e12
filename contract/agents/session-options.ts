/** The characters of a message. Plain data without schemas, for the dashboard. */
export const CONTENT_LIMIT = 100_000
