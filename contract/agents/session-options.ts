/** The maximum number of characters of a message. Plain data without schemas, for the dashboard. */
export const MESSAGE_CHARACTERS_MAX = 100_000
