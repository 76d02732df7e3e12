import {
  CircleOff,
  CirclePause,
  CirclePlay,
  Ellipsis,
  KeyRound,
  Link as LinkIcon,
  RotateCw,
  Send,
  Trash2,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Menu, MenuAction, MenuSeparator } from '../../components/menu.tsx'
import type { WebhookActions } from './actions/use-webhook-actions.tsx'
import type { Webhook } from './webhooks-queries.ts'

interface WebhookMenuProps {
  webhook: Webhook
  actions: WebhookActions
}

/** Everything that can be done to one webhook; a mere button until it is asked for. */
export function WebhookMenu(props: WebhookMenuProps) {
  const [asked, setAsked] = useState(false)
  const button = (
    <Button
      look="quiet"
      size="icon"
      aria-haspopup="menu"
      aria-label={`Actions for ${props.webhook.name}`}
      onClick={asked ? undefined : () => setAsked(true)}
    >
      <Ellipsis aria-hidden className="icon" />
    </Button>
  )
  return asked ? <Opened {...props} trigger={button} /> : button
}

function Opened({ webhook, actions, trigger }: WebhookMenuProps & { trigger: ReactNode }) {
  const { status, forwards } = webhook
  return (
    <Menu defaultOpen trigger={trigger}>
      <MenuAction
        icon={LinkIcon}
        label="Copy receive address"
        onSelect={() => actions.copyReceivingUrl(webhook)}
      />
      {status !== 'disabled' && (
        <MenuAction icon={Send} label="Send a test…" onSelect={() => actions.test(webhook)} />
      )}
      {forwards && (
        <MenuAction icon={RotateCw} label="Retry what failed…" onSelect={() => actions.retry(webhook)} />
      )}
      <MenuAction icon={KeyRound} label="New secret…" onSelect={() => actions.rotate(webhook)} />
      <MenuSeparator />
      {status === 'active' && (
        <MenuAction icon={CirclePause} label="Pause" onSelect={() => actions.pauseOrResume(webhook)} />
      )}
      {status === 'paused' && (
        <MenuAction icon={CirclePlay} label="Resume" onSelect={() => actions.pauseOrResume(webhook)} />
      )}
      {status === 'disabled' ? (
        <MenuAction icon={CirclePlay} label="Enable" onSelect={() => actions.enable(webhook)} />
      ) : (
        <MenuAction icon={CircleOff} label="Disable…" onSelect={() => actions.disable(webhook)} />
      )}
      <MenuSeparator />
      <MenuAction icon={Trash2} label="Delete…" onSelect={() => actions.remove(webhook)} />
    </Menu>
  )
}
