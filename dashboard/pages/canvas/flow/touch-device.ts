/** Whether fingers are what points here. */
export const isTouched = () => matchMedia('(pointer: coarse)').matches
