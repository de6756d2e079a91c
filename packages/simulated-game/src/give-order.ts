import { readConfiguration } from '@steward/service-kit/configuration/read';
import { endWithReader } from '@steward/service-kit/process/ending';
import { exitCode, OperatorError } from '@steward/service-kit/process/errors';
import { giveOrder, howToOrder } from './control/order-line.ts';
import { ordersHelp } from './control/orders.ts';
import { follow } from './control/watching-orders.ts';
import { controlVariables } from './program/configuration.ts';

endWithReader();
const [order = 'help', ...words] = process.argv.slice(2);

if (['help', '--help', '-h'].includes(order)) {
  process.stdout.write(ordersHelp());
} else {
  try {
    const { FARM_CONTROL } = readConfiguration(controlVariables, process.env);
    const end = await giveOrder(FARM_CONTROL, order, words, (line) => process.stdout.write(`${line}\n`));
    if (end === 'cut off' && order !== follow.usage) {
      throw new OperatorError(`the farm closed before it answered; check ${howToOrder} show`);
    }
    if (end === 'failed') process.exitCode = exitCode.failure;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    process.stderr.write(error.lines.map((line) => `farm: ${line}\n`).join(''));
    process.exitCode = error.exitCode;
  }
}
