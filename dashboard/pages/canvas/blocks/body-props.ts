import type { Block } from '../store/items.ts'
import type { EditedField } from '../ui-state.ts'

export interface BodyProps {
  block: Block
  /** The field that the user is editing, if any. */
  editing: EditedField['field'] | undefined
  canEdit: boolean
}
