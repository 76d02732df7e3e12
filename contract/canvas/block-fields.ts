/** Where a block is. Without schemas, so that the browser can have them. */
export const POSITION_FIELDS = ['x', 'y', 'width', 'height', 'rotation', 'zIndex', 'parentId'] as const

/** What a person can change of a block; the rest the server keeps. */
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
