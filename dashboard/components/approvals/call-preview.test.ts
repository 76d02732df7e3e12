import { describe, expect, test } from 'vitest'
import { editedField, previewOf } from './call-preview.ts'

describe('an approval preview', () => {
  test('shows an email as it would be sent', () => {
    const input = {
      account: 'ada',
      to: ['a@example.com', 'b@example.com'],
      subject: 'Notice',
      text: 'We end it.',
    }
    expect(previewOf('gmail_send_mail', input)).toEqual({
      kind: 'mail',
      account: 'ada',
      to: 'a@example.com, b@example.com',
      cc: '',
      bcc: '',
      subject: 'Notice',
      text: 'We end it.',
    })
    expect(editedField('gmail_send_mail', input)).toBe('text')
  })

  test('shows a message with its recipient', () => {
    expect(previewOf('send_sms', { to: '+4930123456', body: 'Hi' })).toEqual({
      kind: 'message',
      account: '',
      to: '+4930123456',
      text: 'Hi',
    })
  })

  test('shows every field if one would be hidden', () => {
    const input = { to: '+4930123456', body: 'Hi', files: ['0198f3a2'] }
    expect(previewOf('send_sms', input)).toEqual({
      kind: 'fields',
      fields: [
        { name: 'to', text: '+4930123456' },
        { name: 'body', text: 'Hi' },
        { name: 'files', text: '0198f3a2' },
      ],
    })
    expect(editedField('send_sms', input)).toBeNull()
    expect(previewOf('write_file', { name: 'a.md', text: 'x', project: 'Other' })).toMatchObject({
      kind: 'file',
      rest: [{ name: 'project', text: 'Other' }],
    })
  })

  test.each([
    ['a second recipient', { to: 'a@example.com', recipient: 'b@example.com', text: 'Hi' }],
    ['a recipient that is no text', { to: ['a@example.com', { email: 'b@example.com' }], text: 'Hi' }],
    ['a copy that is no text', { to: 'a@example.com', cc: [{ email: 'b@example.com' }], text: 'Hi' }],
    ['a subject that is no text', { to: 'a@example.com', subject: { text: 'x' }, text: 'Hi' }],
    ['a second text', { to: 'a@example.com', text: 'Hi', html: '<p>Bye</p>' }],
    ['a text that is no text', { to: 'a@example.com', text: 'Hi', body: { html: 'Bye' } }],
  ])('never hides %s', (_, input) => {
    const preview = previewOf('mcp_mail_send', input)
    expect(preview).toMatchObject({ kind: 'fields', fields: { length: Object.keys(input).length } })
    expect(editedField('mcp_mail_send', input)).toBeNull()
  })

  test('shows copies without a subject', () => {
    const input = { to: 'a@example.com', cc: 'b@example.com', bcc: ['c@example.com'], text: 'Hi' }
    expect(previewOf('mcp_mail_send', input)).toMatchObject({
      kind: 'mail',
      cc: 'b@example.com',
      bcc: 'c@example.com',
    })
  })

  test('shows an action with fields that have its own fields’ names', () => {
    const input = { action: 'projects.list', input: 'all', id: 7 }
    expect(previewOf('run_action', { action: 'projects.remove', input })).toEqual({
      kind: 'fields',
      fields: [
        { name: 'action', text: 'projects.remove' },
        { name: 'action', text: 'projects.list' },
        { name: 'input', text: 'all' },
        { name: 'id', text: '7' },
      ],
    })
  })

  test('shows a payee’s account and URL', () => {
    const payee = { name: 'Orbit', account: 'DE1', url: 'https://a.example' }
    expect(previewOf('make_payment', { amount: '1', currency: 'EUR', payee })).toMatchObject({
      account: 'DE1 · https://a.example',
    })
  })

  test('shows new notes, changes and deletions', () => {
    const create = [
      { type: 'note', title: 'Goal', content: 'Why', color: 'teal', x: 1, url: 'https://a.example' },
    ]
    expect(
      previewOf('edit_canvas', { create, update: [{ id: 'Plan', title: 'New' }], delete: ['Old'] }),
    ).toEqual({
      kind: 'canvas',
      created: [
        {
          type: 'note',
          title: 'Goal',
          content: 'Why',
          color: 'teal',
          rest: [{ name: 'url', text: 'https://a.example' }],
        },
      ],
      updated: [{ name: 'Plan', fields: [{ name: 'title', text: 'New' }] }],
      deleted: ['Old'],
      moved: 0,
      connected: 0,
      rest: [],
    })
  })

  test.each([null, 'text', 7, [1], { nested: { a: [1] } }])('takes any input: %j', (input) => {
    for (const tool of ['edit_canvas', 'write_file', 'make_payment', 'run_action', 'x'])
      expect(previewOf(tool, input)).toHaveProperty('kind')
  })
})
