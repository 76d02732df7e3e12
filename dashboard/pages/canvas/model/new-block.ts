import { randomId } from '../../../state/random-id.ts'
import type { BlockFields, BlockType, NewBlock } from '../store/items.ts'

const SIZES: Record<BlockType, [width: number, height: number]> = {
  text: [280, 120],
  note: [200, 200],
  file: [260, 72],
  image: [320, 240],
  link: [280, 96],
  agent: [340, 280],
  task: [260, 64],
  group: [480, 320],
  embed: [280, 96],
  shape: [160, 96],
  drawing: [160, 96],
  table: [480, 320],
}
const NOTE_COLOR = 'amber'

export const sizeOfNew = (type: BlockType) => ({ width: SIZES[type][0], height: SIZES[type][1] })

export const newBlock = (type: BlockType, fields: Partial<BlockFields> = {}): NewBlock => ({
  id: randomId(),
  type,
  x: 0,
  y: 0,
  ...sizeOfNew(type),
  rotation: 0,
  zIndex: 0,
  parentId: null,
  title: null,
  content: null,
  fileId: null,
  color: type === 'note' ? NOTE_COLOR : null,
  locked: false,
  metadata: {},
  ...fields,
})
