/** The limit of contract/feedback.ts, whose schemas are not bundled for the browser. The server enforces it. */
export const MESSAGE_LENGTH_MAX = 5000
