import { Inbox, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Code } from '../components/code.tsx'
import { Empty } from '../components/empty.tsx'
import { AgentFace, PersonFace, PersonFaces, ProjectFace } from '../components/faces.tsx'
import { TextArea, TextField } from '../components/forms/field.tsx'
import { Select } from '../components/forms/select.tsx'
import { Switch } from '../components/forms/switch.tsx'
import { Keys } from '../components/kbd.tsx'
import { Block } from '../components/layout/block.tsx'
import { NoticeBanner } from '../components/layout/notice-banner.tsx'
import { Segments } from '../components/layout/segments.tsx'
import { Row, Rows } from '../components/section.tsx'
import { SkeletonRows } from '../components/skeleton.tsx'
import { type Meaning, Status } from '../components/status.tsx'

/** `npm run dev` serves it at /parts.html: every part of the dashboard, in both themes. Not in the build. */
export const Parts = () => (
  <div className="grid min-h-dvh lg:grid-cols-2">
    {(['light', 'dark'] as const).map((theme) => (
      <main key={theme} data-theme={theme} aria-label={theme} className="bg-page p-24 text-neutral-12">
        <h1 className="mb-24 font-strong text-28 tracking-title">Parts</h1>
        <div className="flex max-w-fields flex-col gap-32">
          <Colors />
          <Type />
          <Faces />
          <Buttons />
          <Fields />
          <Meanings />
          <Lists />
          <States />
        </div>
      </main>
    ))}
  </div>
)

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <Block title={title}>
    <div className="flex flex-wrap items-center gap-12 py-12">{children}</div>
  </Block>
)

const SURFACES = ['app', 'page', 'card', 'float', 'inset']
const TONES = ['accent', 'selection', 'good', 'warning', 'bad', 'info']
const HUES = [1, 2, 3, 4, 5, 6, 7, 8]

const Swatch = ({ color, ground }: { color: string; ground?: string }) => (
  <span
    title={color}
    className="flex h-32 w-status items-center justify-center rounded-control text-12 shadow-card"
    style={{ background: `var(--color-${ground ?? color})`, color: ground && `var(--color-${color})` }}
  >
    {color}
  </span>
)

const Colors = () => (
  <Group title="Colors">
    {SURFACES.map((color) => (
      <Swatch key={color} color={color} />
    ))}
    {TONES.map((tone) => (
      <Swatch key={tone} color={`${tone}-text`} ground={`${tone}-wash`} />
    ))}
    {HUES.map((hue) => (
      <Swatch key={hue} color={`hue-${hue}`} ground={`hue-${hue}-soft`} />
    ))}
  </Group>
)

const Type = () => (
  <Group title="Type">
    <p className="font-strong text-28 tracking-title">Page title, 28</p>
    <p className="font-strong text-20 tracking-title">Detail title, 20</p>
    <p className="text-16">Panel, 16</p>
    <p className="text-15">Answer, 15</p>
    <p>Base, 14</p>
    <p className="text-13">List, 13</p>
    <p className="text-12 text-neutral-11">Fact, 12</p>
    <p className="tabular-nums">0123456789</p>
  </Group>
)

const PEOPLE = ['Mara Lindqvist', 'Tomás Rey', 'Ines Okafor', 'Jonas Weber'].map((name) => ({
  id: name,
  name,
}))
const AGENTS = ['Researcher', 'Copywriter', 'Invoice check', 'Support inbox', 'Release notes', 'Reception']

const Faces = () => (
  <Group title="Faces">
    {AGENTS.map((name, index) => (
      <AgentFace key={name} agent={{ id: name, name }} size={32} isLive={index === 0} labeled />
    ))}
    {PEOPLE.map((person) => (
      <PersonFace key={person.id} person={person} />
    ))}
    <PersonFaces people={PEOPLE} label="People" />
    <ProjectFace project={{ id: 'a', name: 'Spring launch', emoji: null }} />
    <ProjectFace project={{ id: 'b', name: 'Contracts', emoji: '📄' }} size={32} />
  </Group>
)

const Buttons = () => (
  <Group title="Buttons">
    <Button look="primary">Approve</Button>
    <Button>Edit</Button>
    <Button look="quiet">Deny…</Button>
    <Button look="danger">Delete</Button>
    <Button disabled>Disabled</Button>
    <Button busy>Saving</Button>
    <Button size="small">Small</Button>
    <Button size="icon" aria-label="Add">
      <Plus aria-hidden className="icon" />
    </Button>
    <Button look="quiet" size="small-icon" aria-label="Remove">
      <Trash2 aria-hidden className="icon" />
    </Button>
    <Keys keys="mod+k" />
  </Group>
)

function Fields() {
  const [checked, setChecked] = useState(true)
  const [range, setRange] = useState('30')
  return (
    <Block title="Fields">
      <div className="flex flex-col gap-16 py-12">
        <TextField label="Name" defaultValue="Contract reader" hint="Shown in lists." />
        <TextField label="Email" defaultValue="mara@" error="Enter an email address with a domain" />
        <TextArea
          label="Instructions"
          rows={3}
          defaultValue="Start with the one contract that needs a decision."
        />
        <Select label="Role" defaultValue="admin">
          <option value="admin">Admin</option>
          <option value="member">Member</option>
        </Select>
        <Switch
          label="Ask before sending"
          description="You approve each message."
          checked={checked}
          onChange={setChecked}
        />
        <Segments
          label="Range"
          value={range}
          options={[
            { value: '7', label: '7 days' },
            { value: '30', label: '30 days' },
            { value: 'month', label: 'This month' },
          ]}
          onChoose={setRange}
        />
      </div>
    </Block>
  )
}

const MEANINGS: Record<Meaning, string> = {
  good: 'Succeeded',
  warning: 'Waiting for you',
  bad: 'Failed',
  info: 'New',
  accent: 'Running',
  neutral: 'Draft',
}

const Meanings = () => (
  <Group title="Meanings">
    {Object.entries(MEANINGS).map(([meaning, label]) => (
      <Status key={meaning} meaning={meaning as Meaning}>
        {label}
      </Status>
    ))}
    <Badge>Beta</Badge>
    <Badge accent>New</Badge>
    <Badge mono>GET</Badge>
    <div className="w-full overflow-hidden rounded-panel">
      <NoticeBanner tone="warning">The budget is almost reached.</NoticeBanner>
      <NoticeBanner tone="bad">Xero refused the last booking.</NoticeBanner>
      <NoticeBanner tone="info">Version 13 is available.</NoticeBanner>
    </div>
  </Group>
)

const Lists = () => (
  <Block title="Lists">
    <Rows label="Agents">
      {AGENTS.slice(0, 3).map((name) => (
        <Row
          key={name}
          icon={<AgentFace agent={{ id: name, name }} />}
          title={<span className="font-medium">{name}</span>}
          note="Reads supplier contracts and warns before they renew"
        >
          <Button size="small">Open</Button>
        </Row>
      ))}
    </Rows>
  </Block>
)

const States = () => (
  <Block title="States">
    <SkeletonRows rows={3} />
    <Empty icon={Inbox} title="Nothing waits for you" action={<Button>Open settings</Button>} inline>
      Mentions, approvals and replies arrive here.
    </Empty>
    <Code what="command">npx atrium login</Code>
  </Block>
)
