import { Copy, CopyPlus, Ellipsis, Pencil, Power, Trash2 } from 'lucide-react'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { telephonyApi } from '../../../api/telephony/client.ts'
import { refreshTelephony } from '../../../api/telephony/overview.ts'
import type { NewRule, RoutingRule } from '../../../api/telephony/routing.ts'
import { Button } from '../../../components/button.tsx'
import { copyWithToast } from '../../../components/copy-with-toast.ts'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'

export function RuleMenu({ rule, onEdit }: { rule: RoutingRule; onEdit: () => void }) {
  const { id, name, enabled } = rule
  return (
    <span className="relative">
      <Menu
        trigger={
          <Button look="quiet" size="small-icon" aria-label={textWithNames`Actions for ${name}`}>
            <Ellipsis aria-hidden className="icon" />
          </Button>
        }
      >
        <MenuAction icon={Pencil} label="Edit" onSelect={onEdit} />
        <MenuAction
          icon={Power}
          label={enabled ? 'Turn off' : 'Turn on'}
          onSelect={() => void setEnabled(rule, !enabled)}
        />
        <MenuAction icon={CopyPlus} label="Duplicate" onSelect={() => void duplicate(rule)} />
        <MenuAction icon={Copy} label="Copy rule ID" onSelect={() => void copyWithToast(id, 'rule ID')} />
        <MenuAction icon={Trash2} label="Delete" onSelect={() => void remove(rule)} />
      </Menu>
    </span>
  )
}

async function setEnabled({ id, name }: RoutingRule, enabled: boolean): Promise<void> {
  await attempt(async () => {
    const changed = await telephonyApi.routing.update({ id, enabled })
    toast(enabled ? withNames`Turned on ${name}` : withNames`Turned off ${name}`, {
      label: 'Undo',
      run: () => void setEnabled(changed, !enabled),
    })
  })
}

async function duplicate({ name, match, action, fallback }: RoutingRule): Promise<void> {
  await attempt(async () => {
    const copy = await telephonyApi.routing.create({
      name: `Copy of ${name}`.slice(0, 80),
      match,
      action,
      fallback,
      enabled: false,
    })
    toast(withNames`Created ${copy.name}, turned off`)
  })
}

/** Undo creates the same rule again: only its id differs. */
async function remove(rule: RoutingRule): Promise<void> {
  const { name, priority, enabled, match, action, fallback } = rule
  const restored: NewRule = { name, priority, enabled, match, action, fallback }
  await attempt(async () => {
    await telephonyApi.routing.remove({ id: rule.id })
    toast(withNames`Deleted ${name}`, {
      label: 'Undo',
      run: () => void attempt(() => telephonyApi.routing.create(restored)),
    })
  })
}

async function attempt(change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
  } catch (error) {
    toastFailure(error)
  }
  await refreshTelephony()
}
