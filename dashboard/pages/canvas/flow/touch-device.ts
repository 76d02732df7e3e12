/** Whether the primary pointer is a finger. */
export const isTouchDevice = () => matchMedia('(pointer: coarse)').matches
