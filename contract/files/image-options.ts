/** Of a file that is turned into images. */
export const IMAGE_SOURCE_BYTES_MAX = 52_428_800
