import { useId } from 'react'

interface SegmentsProps<T extends string> {
  /** For screen readers only. */
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChoose: (value: T) => void
  /** As high as a field. */
  size?: 'small' | 'normal'
}

/**
 * Uses radio buttons, so arrow keys work. Each hidden radio is positioned in its label, so focusing it scrolls there.
 */
export function Segments<T extends string>({
  label,
  value,
  options,
  onChoose,
  size = 'small',
}: SegmentsProps<T>) {
  const name = useId()
  return (
    <fieldset className="max-w-full self-start">
      <legend className="sr-only">{label}</legend>
      <div
        className={`inline-flex max-w-full flex-wrap rounded-control border border-neutral-6 bg-inset p-px ${size === 'normal' ? 'min-h-32' : ''}`}
      >
        {options.map((option) => (
          <label
            key={option.value}
            className={`relative flex cursor-pointer items-center rounded-control border border-transparent text-neutral-11 transition-colors hover:text-neutral-12 has-checked:border-neutral-7 has-checked:bg-card has-checked:font-medium has-checked:text-neutral-12 has-focus-visible:outline-2 has-focus-visible:outline-selection ${size === 'small' ? 'h-24 px-8 text-12' : 'px-12 text-13'}`}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={option.value === value}
              onChange={() => onChoose(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
