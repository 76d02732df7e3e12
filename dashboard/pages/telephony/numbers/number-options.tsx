import type { PhoneNumber } from '../telephony-queries.ts'

interface NumberOptionsProps {
  numbers: readonly PhoneNumber[]
  /** The value of an option. */
  by: 'id' | 'e164'
  /** The label of the empty choice. */
  none?: string
}

/** The numbers as options of a select, the label first. */
export const NumberOptions = ({ numbers, by, none }: NumberOptionsProps) => (
  <>
    {none !== undefined && <option value="">{none}</option>}
    {numbers.map((number) => (
      <option key={number.id} value={number[by]}>
        {number.label ? `${number.label} · ${number.e164}` : number.e164}
      </option>
    ))}
  </>
)
