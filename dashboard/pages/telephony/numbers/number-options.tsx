import type { PhoneNumber } from '../telephony-queries.ts'

interface NumberOptionsProps {
  numbers: readonly PhoneNumber[]
  by: 'id' | 'e164'
  /** Label for the empty choice. */
  none?: string
}

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
