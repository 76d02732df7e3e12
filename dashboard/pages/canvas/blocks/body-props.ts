import type { Block } from '../store/items.ts'
import type { EditedField } from '../ui-state.ts'

export interface BodyProps {
  block: Block
  editing: EditedField['field'] | undefined
  canEdit: boolean
}
