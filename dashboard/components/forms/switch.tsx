import { useId } from 'react'

interface SwitchProps {
  label: string
  description?: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

export function Switch({ label, description, checked, onChange, disabled }: SwitchProps) {
  const id = useId()
  return (
    <label
      htmlFor={id}
      className="flex cursor-pointer items-center gap-12 border-neutral-6 border-b py-8 last:border-b-0 has-disabled:cursor-default"
    >
      <span className="min-w-0 flex-1">
        <span className="block font-medium text-13">{label}</span>
        {description && (
          <span id={`${id}-note`} className="block text-12 text-neutral-11">
            {description}
          </span>
        )}
      </span>
      <span className="relative flex h-16 w-32 shrink-0">
        <input
          id={id}
          type="checkbox"
          role="switch"
          aria-label={label}
          aria-describedby={description ? `${id}-note` : undefined}
          checked={checked}
          aria-checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
          className="peer absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-default"
        />
        <span
          aria-hidden
          className="pointer-events-none flex size-full items-center rounded-round bg-neutral-9 px-px transition-colors peer-checked:justify-end peer-checked:bg-selection-solid peer-focus-visible:outline-2 peer-focus-visible:outline-selection peer-focus-visible:outline-offset-2 peer-disabled:opacity-50"
        >
          <span className="size-12 rounded-round bg-card" />
        </span>
      </span>
    </label>
  )
}
