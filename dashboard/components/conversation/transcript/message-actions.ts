/** Actions of a message: visible while the pointer or the focus is on it, and always on touch screens. */
export const MESSAGE_ACTIONS =
  'flex h-24 items-center gap-4 opacity-0 transition-opacity group-focus-within/message:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100'
