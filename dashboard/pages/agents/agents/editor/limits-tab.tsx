import type { FieldsProps } from './draft.ts'
import { LimitFields } from './model-fields.tsx'
import { SettingGroup } from './setting-group.tsx'

export const LimitsTab = (fields: FieldsProps) => (
  <SettingGroup
    title="Per run"
    lead="A run ends when it reaches its step or time limit. When it reaches its budget, it waits until the budget is raised."
  >
    <LimitFields {...fields} />
  </SettingGroup>
)
