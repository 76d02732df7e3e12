/** As in contract/feedback.ts, whose schemas are not shipped to the browser; the server has the last label. */
export const MESSAGE_LENGTH_MAX = 5000
