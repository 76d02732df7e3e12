import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { selectTo, toggleSelected, useIsSelected } from './selection.ts'

interface SelectBoxProps {
  id: string
  name: string
  /** The rows of the list in their order, for a range. */
  order: () => readonly string[]
}

/** Selects a row; with Shift, all rows between the last selected row and this one. */
export function SelectBox({ id, name, order }: SelectBoxProps) {
  const isSelected = useIsSelected(id)
  return (
    <label className="relative z-1 -m-8 inline-flex cursor-pointer p-8">
      <input
        type="checkbox"
        data-select
        aria-label={textWithNames`Select ${name}`}
        checked={isSelected}
        onChange={(event) =>
          (event.nativeEvent as MouseEvent).shiftKey ? selectTo(id, order()) : toggleSelected(id)
        }
        className="size-16 cursor-pointer opacity-0 checked:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100 [[data-row]:hover_&]:opacity-100 [[data-selecting]_&]:opacity-100 [tr:hover_&]:opacity-100"
      />
    </label>
  )
}
