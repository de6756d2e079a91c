import { readConfiguration } from '@steward/service-kit/configuration/read';
import { exitCode } from '@steward/service-kit/process/exit-code';
import { OperatorError } from '@steward/service-kit/process/operator-error';
import { giveOrder } from './control/order-line.ts';
import { ordersHelp } from './control/orders.ts';
import { controlVariables } from './program/configuration.ts';

const [order = 'help', ...words] = process.argv.slice(2);

if (['help', '--help', '-h'].includes(order)) {
  process.stdout.write(ordersHelp());
} else {
  try {
    const { FARM_CONTROL } = readConfiguration(controlVariables, process.env);
    await giveOrder(FARM_CONTROL, order, words, (line) => process.stdout.write(`${line}\n`));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    process.stderr.write(error.lines.map((line) => `farm: ${line}\n`).join(''));
    process.exitCode = exitCode.failure;
  }
}
