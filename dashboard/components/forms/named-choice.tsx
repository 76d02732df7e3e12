interface NamedChoiceProps {
  name: string
  description: string
  checked: boolean
  /** Another selected option already includes this one. */
  included: boolean
  onToggle: (on: boolean) => void
  className: string
  note?: string | undefined
}

export function NamedChoice(props: NamedChoiceProps) {
  const { name, description, checked, included, onToggle, className, note } = props
  return (
    <label className={`flex items-start gap-8 hover:bg-hover ${className}`}>
      <input
        type="checkbox"
        aria-label={name}
        checked={included || checked}
        disabled={included}
        onChange={(event) => onToggle(event.target.checked)}
        className="icon"
      />
      <span className="min-w-0 flex-1 text-12">
        <code className="wrap-anywhere font-mono">{name}</code>
        <span className="block text-neutral-11">{description}</span>
      </span>
      {note && <span className="text-12 text-neutral-11">{note}</span>}
    </label>
  )
}
