/** The position of a block. This file has no schemas, so that the browser can load it. */
export const POSITION_FIELDS = ['x', 'y', 'width', 'height', 'rotation', 'zIndex', 'parentId'] as const

/** The highest stacking order. */
export const ORDER_MAX = 1_000_000_000

/** The fields that a caller can set; the server sets the others. */
export const BLOCK_FIELDS = [
  'type',
  ...POSITION_FIELDS,
  'title',
  'content',
  'fileId',
  'color',
  'locked',
  'metadata',
] as const
