/**
 * Runs in each virtual machine before untrusted code, and keeps what it needs of the standard library, which a program
 * can replace. Only strings, numbers and booleans pass between it and the process.
 */
export const PRELUDE = String.raw`(function (host) {
  'use strict'
  const { stringify, parse } = JSON
  const { keys, freeze, create, defineProperty } = Object
  const { indexOf, slice } = String.prototype
  const { exec } = RegExp.prototype
  const { apply } = Reflect
  const isArray = Array.isArray
  const NativePromise = Promise
  const NativeError = Error
  const NativeFunction = Function
  const toText = String
  const toNumber = Number
  const evaluate = eval
  const hostCall = host.call
  const hostLog = host.log
  const hostEnd = host.end
  for (const name of ['SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry', 'performance'])
    delete globalThis[name]

  class ToolError extends NativeError {
    constructor(tool, output) {
      super(typeof output.error === 'string' ? output.error : stringify(output))
      defineProperty(this, 'name', { value: 'ToolError', writable: true, configurable: true })
      this.tool = tool
      this.output = output
    }
  }

  const pending = create(null)
  const call = (name, input) =>
    new NativePromise((resolve, reject) => {
      const text = stringify(input === undefined ? {} : input)
      if (typeof text !== 'string') throw new TypeError(name + ': the input must be JSON')
      const number = hostCall(name, text)
      pending[number] = { __proto__: null, name, resolve, reject }
    })

  const settle = (number, isError, text) => {
    const { name, resolve, reject } = pending[number]
    delete pending[number]
    if (isError) reject(new ToolError(name, parse(text)))
    else resolve(parse(text))
  }

  const show = (value) => {
    try {
      if (typeof value === 'string') return value
      if (value instanceof NativeError) return toText(value.name) + ': ' + toText(value.message)
      if (typeof value === 'object' && value !== null) return stringify(value) ?? toText(value)
      return toText(value)
    } catch {
      return '[unreadable]'
    }
  }
  const shown = (level) => (...values) => {
    let text = ''
    for (let index = 0; index < values.length; index++) text += (index === 0 ? '' : ' ') + show(values[index])
    hostLog(level, text)
  }
  const console = { __proto__: null }
  for (const level of ['log', 'info', 'warn', 'error', 'debug']) console[level] = shown(level)

  const read = (object, name) => {
    try {
      const value = object[name]
      return value === undefined ? '' : toText(value)
    } catch {
      return ''
    }
  }
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function'
  const describe = (thrown) => {
    if (!isObject(thrown)) return { message: show(thrown), line: 0 }
    const name = read(thrown, 'name')
    const message = read(thrown, 'message')
    const found = apply(exec, /<input>:(\d+)/, [read(thrown, 'stack')])
    const text = name === '' && message === '' ? show(thrown) : name + (message === '' ? '' : ': ' + message)
    return { message: text, line: found === null ? 0 : toNumber(found[1]) }
  }
  const fail = (kind, thrown) => {
    const { message, line } = describe(thrown)
    hostEnd(kind, message, line)
  }
  const finish = (value) => {
    let text
    try {
      text = value === undefined ? 'null' : stringify(value)
    } catch (error) {
      return fail('not_json', error)
    }
    if (typeof text === 'string') hostEnd('value', text, 0)
    else hostEnd('not_json', 'The result must be JSON, not a ' + typeof value, 0)
  }

  const define = (name, value) =>
    defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false })

  return {
    __proto__: null,
    settle,
    evaluate(expression, values) {
      const given = parse(values)
      const names = keys(given)
      const inputs = []
      for (let index = 0; index < names.length; index++) inputs[index] = given[names[index]]
      let run
      try {
        run = apply(NativeFunction, null, [...names, '"use strict"; return (' + expression + '\n)'])
      } catch (error) {
        return fail('syntax', error)
      }
      host.begin()
      let value
      try {
        value = apply(run, undefined, inputs)
      } catch (error) {
        return fail('thrown', error)
      }
      finish(value)
    },
    start(code, library, values, toolNames) {
      const tools = { __proto__: null }
      const names = parse(toolNames)
      for (let index = 0; index < names.length; index++) {
        const name = names[index]
        tools[name] = (input) => call(name, input)
      }
      define('tools', freeze(tools))
      define('console', freeze(console))
      define('ToolError', ToolError)
      const given = parse(values)
      for (const name of keys(given)) define(name, given[name])
      if (library !== '') evaluate(library)(call, define)
      let program
      try {
        program = evaluate('(async () => {' + code + '\n})')
      } catch (error) {
        return fail('syntax', error)
      }
      ;(async () => {
        try {
          finish(await program())
        } catch (error) {
          fail('thrown', error)
        }
      })()
    },
  }
})`
