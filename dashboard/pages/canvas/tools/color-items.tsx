import { Ban, Check } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { MenuItem } from '../../../components/menu.tsx'
import { COLORS, colorLabel, colorTone, SWATCH } from '../model/tones.ts'

interface ColorItemsProps {
  /** Undefined if the selected items differ. */
  value: string | null | undefined
  onChoose: (color: string | null) => void
}

export function ColorItems({ value, onChoose }: ColorItemsProps) {
  return [...COLORS, null].map((color) => {
    const tone = colorTone(color)
    return (
      <MenuItem key={color ?? 'none'} onSelect={() => onChoose(color)}>
        {tone ? (
          <span aria-hidden className={`size-16 rounded-round border ${SWATCH[tone]}`} />
        ) : (
          <Ban aria-hidden className="icon text-neutral-11" />
        )}
        <span className="flex-1">{color ? colorLabel(color) : t`No color`}</span>
        {value === color && <Check role="img" aria-label="Selected" className="icon" />}
      </MenuItem>
    )
  })
}

export function ColorSwatch({ color }: { color: string | null }) {
  const tone = colorTone(color)
  return (
    <span
      className={`size-16 rounded-round border ${tone ? SWATCH[tone] : 'border-neutral-8 bg-card'}`}
      style={color?.startsWith('#') ? { background: color } : undefined}
    />
  )
}
