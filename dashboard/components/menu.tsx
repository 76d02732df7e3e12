import * as DropdownMenu from '@radix-ui/react-dropdown-menu'
import { Check, type LucideIcon } from 'lucide-react'
import { createContext, type ReactNode, use, useRef } from 'react'

interface MenuProps {
  trigger: ReactNode
  side?: 'top' | 'bottom' | 'right'
  defaultOpen?: boolean
  /** With `onOpenChange`, if the trigger decides when it opens. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
  onClose?: () => void
  children: ReactNode
}

/** Runs the action after the menu has restored focus, so a dialog it opens can take it. */
const SelectContext = createContext<(action: () => void) => void>((action) => action())

/**
 * Not modal: a modal Radix menu injects a style element, which the content security policy blocks. Not in a portal: on
 * phones the sidebar is a modal dialog, and elements outside it are inert.
 */
export function Menu(props: MenuProps) {
  const { trigger, side = 'bottom', defaultOpen, open, onOpenChange, onClose, children } = props
  const selectedAction = useRef<() => void>(undefined)
  const runSelected = () => {
    if (selectedAction.current) queueMicrotask(selectedAction.current)
    selectedAction.current = undefined
  }
  return (
    <DropdownMenu.Root
      modal={false}
      defaultOpen={defaultOpen}
      open={open}
      onOpenChange={(isOpen) => {
        onOpenChange?.(isOpen)
        if (!isOpen) onClose?.()
      }}
    >
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        side={side}
        align="start"
        sideOffset={4}
        collisionPadding={8}
        onCloseAutoFocus={runSelected}
        className="z-40 outline-none"
      >
        {/* Not on the Radix element: Radix waits for its animation to end, which an interrupted one never does. */}
        <div
          className="w-menu animate-appear overflow-y-auto rounded-panel bg-float p-4 shadow-float"
          style={{ maxHeight: MAX_HEIGHT }}
        >
          <SelectContext value={(action) => (selectedAction.current = action)}>{children}</SelectContext>
        </div>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

const MAX_HEIGHT = 'min(var(--spacing-panel-max), var(--radix-dropdown-menu-content-available-height))'

const ITEM =
  'flex h-32 w-full items-center gap-8 rounded-control px-8 text-13 select-none data-highlighted:bg-hover'

interface MenuItemProps {
  onSelect: () => void
  className?: string
  children: ReactNode
}

export function MenuItem({ onSelect, className = '', children }: MenuItemProps) {
  const select = use(SelectContext)
  return (
    <DropdownMenu.Item onSelect={() => select(onSelect)} className={`${ITEM} ${className}`}>
      {children}
    </DropdownMenu.Item>
  )
}

interface MenuActionProps {
  icon: LucideIcon
  label: string
  onSelect: () => void
}

export function MenuAction({ icon: Icon, label, onSelect }: MenuActionProps) {
  return (
    <MenuItem onSelect={onSelect}>
      <Icon aria-hidden className="icon text-neutral-11" />
      {label}
    </MenuItem>
  )
}

interface MenuChoiceProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string; face?: ReactNode }[]
  onChoose: (value: T) => void
  /** Closes on selection; a setting such as the theme stays open. */
  closes?: boolean
}

export function MenuChoice<T extends string>({
  label,
  value,
  options,
  onChoose,
  closes,
}: MenuChoiceProps<T>) {
  return (
    <DropdownMenu.RadioGroup aria-label={label} value={value} onValueChange={(next) => onChoose(next as T)}>
      <MenuLabel>{label}</MenuLabel>
      {options.map((option) => (
        <DropdownMenu.RadioItem
          key={option.value}
          value={option.value}
          onSelect={closes ? undefined : (event) => event.preventDefault()}
          className={ITEM}
        >
          {option.face}
          <span className="truncate">{option.label}</span>
          <DropdownMenu.ItemIndicator className="ml-auto">
            <Check aria-hidden className="icon" />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}

interface MenuChecksProps<T extends string> {
  label: string
  chosen: ReadonlySet<T>
  options: readonly { value: T; label: string }[]
  onToggle: (value: T) => void
}

export function MenuChecks<T extends string>({ label, chosen, options, onToggle }: MenuChecksProps<T>) {
  return (
    <DropdownMenu.Group aria-label={label}>
      <MenuLabel>{label}</MenuLabel>
      {options.map(({ value, label: name }) => (
        <DropdownMenu.CheckboxItem
          key={value}
          checked={chosen.has(value)}
          onSelect={(event) => event.preventDefault()}
          onCheckedChange={() => onToggle(value)}
          className={ITEM}
        >
          <span className="truncate">{name}</span>
          <DropdownMenu.ItemIndicator className="ml-auto">
            <Check aria-hidden className="icon" />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.CheckboxItem>
      ))}
    </DropdownMenu.Group>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-8 py-4 text-12 text-neutral-11">{children}</DropdownMenu.Label>
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="-mx-4 my-4 h-px bg-neutral-6" />
}
