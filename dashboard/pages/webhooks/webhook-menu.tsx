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
import { textWithNames } from '../../../contract/text-with-names.ts'
import { Button } from '../../components/button.tsx'
import { Menu, MenuAction, MenuSeparator } from '../../components/menu.tsx'
import type { WebhookActions } from './actions/use-webhook-actions.tsx'
import type { Webhook } from './webhooks-queries.ts'

interface WebhookMenuProps {
  webhook: Webhook
  actions: WebhookActions
}

/** Mounted on first click. */
export function WebhookMenu(props: WebhookMenuProps) {
  const [isOpened, setOpened] = useState(false)
  const button = (
    <Button
      look="quiet"
      size="icon"
      aria-haspopup="menu"
      aria-label={textWithNames`Actions for ${props.webhook.name}`}
      onClick={isOpened ? undefined : () => setOpened(true)}
    >
      <Ellipsis aria-hidden className="icon" />
    </Button>
  )
  return isOpened ? <OpenedMenu {...props} trigger={button} /> : button
}

function OpenedMenu({ webhook, actions, trigger }: WebhookMenuProps & { trigger: ReactNode }) {
  const { status, forwards, receives } = webhook
  return (
    <Menu defaultOpen trigger={trigger}>
      {receives && (
        <MenuAction
          icon={LinkIcon}
          label="Copy receiving URL"
          onSelect={() => actions.copyReceivingUrl(webhook)}
        />
      )}
      {status !== 'disabled' && (
        <MenuAction icon={Send} label="Send test event…" onSelect={() => actions.test(webhook)} />
      )}
      {forwards && (
        <MenuAction
          icon={RotateCw}
          label="Retry failed deliveries…"
          onSelect={() => actions.retry(webhook)}
        />
      )}
      <MenuAction icon={KeyRound} label="Rotate secret…" onSelect={() => actions.rotate(webhook)} />
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
