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
import { Menu, MenuAct, MenuSeparator } from '../../components/menu.tsx'
import type { WebhookActs } from './actions/use-webhook-actions.tsx'
import type { Webhook } from './webhooks-queries.ts'

interface WebhookMenuProps {
  webhook: Webhook
  acts: WebhookActs
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

function Opened({ webhook, acts, trigger }: WebhookMenuProps & { trigger: ReactNode }) {
  const { status, forwards } = webhook
  return (
    <Menu defaultOpen trigger={trigger}>
      <MenuAct icon={LinkIcon} label="Copy receive address" onSelect={() => acts.copyAddress(webhook)} />
      {status !== 'disabled' && (
        <MenuAct icon={Send} label="Send a test…" onSelect={() => acts.test(webhook)} />
      )}
      {forwards && (
        <MenuAct icon={RotateCw} label="Retry what failed…" onSelect={() => acts.retry(webhook)} />
      )}
      <MenuAct icon={KeyRound} label="New secret…" onSelect={() => acts.rotate(webhook)} />
      <MenuSeparator />
      {status === 'active' && (
        <MenuAct icon={CirclePause} label="Pause" onSelect={() => acts.pauseOrResume(webhook)} />
      )}
      {status === 'paused' && (
        <MenuAct icon={CirclePlay} label="Resume" onSelect={() => acts.pauseOrResume(webhook)} />
      )}
      {status === 'disabled' ? (
        <MenuAct icon={CirclePlay} label="Enable" onSelect={() => acts.enable(webhook)} />
      ) : (
        <MenuAct icon={CircleOff} label="Disable…" onSelect={() => acts.disable(webhook)} />
      )}
      <MenuSeparator />
      <MenuAct icon={Trash2} label="Delete…" onSelect={() => acts.remove(webhook)} />
    </Menu>
  )
}
