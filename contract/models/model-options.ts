/** In a file without zod, for the browser. */
export const MODELS_PER_CHANGE_MAX = 200
