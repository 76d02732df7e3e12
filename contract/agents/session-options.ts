/** Plain data without schemas, for the dashboard. */
export const MESSAGE_CHARACTERS_MAX = 100_000
