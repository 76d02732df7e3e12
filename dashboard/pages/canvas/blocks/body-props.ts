import type { Block } from '../store/items.ts'
import type { Editing } from '../ui-state.ts'

export interface BodyProps {
  block: Block
  /** The field that the user is editing, if any. */
  editing: Editing['field'] | undefined
  canEdit: boolean
}
