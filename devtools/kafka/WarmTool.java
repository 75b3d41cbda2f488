import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.utils.internals.Exit;

/**
 * Kafka's command-line tools in one process that stays: reads lines of JSON, each a list of a main class and its
 * arguments, and answers each with one line of JSON: exit_code, stdout, stderr. Ends when its input ends.
 */
public final class WarmTool {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Ends a run where the tool would end the process. */
    private static final class Ended extends Error {
        Ended() {
            super("the tool ended itself", null, false, false);
        }
    }

    /** What one run printed, up to the moment at which the tool would have ended the process. */
    private static final class Run {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final ByteArrayOutputStream err = new ByteArrayOutputStream();
        private Map<String, Object> answer;

        synchronized Map<String, Object> end(int exitCode) {
            if (answer == null) { // the tools catch the error that ends a run, and print it
                answer = new LinkedHashMap<>();
                answer.put("exit_code", exitCode);
                answer.put("stdout", out.toString(StandardCharsets.UTF_8));
                answer.put("stderr", err.toString(StandardCharsets.UTF_8));
            }
            return answer;
        }
    }

    public static void main(String[] ignored) throws Exception {
        PrintStream answers = System.out;
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line;
        while ((line = lines.readLine()) != null) {
            String[] words = JSON.readValue(line, String[].class);
            answers.write(JSON.writeValueAsBytes(answered(words[0], Arrays.copyOfRange(words, 1, words.length))));
            answers.write('\n');
            answers.flush();
        }
    }

    private static Map<String, Object> answered(String mainClass, String[] arguments) throws Exception {
        PrintStream out = System.out;
        PrintStream err = System.err;
        Run run = new Run();
        Exit.Procedure procedure = (code, message) -> {
            run.end(code);
            throw new Ended();
        };
        Exit.setExitProcedure(procedure);
        Exit.setHaltProcedure(procedure);
        System.setOut(new PrintStream(run.out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(run.err, true, StandardCharsets.UTF_8));
        try {
            Class.forName(mainClass).getMethod("main", String[].class).invoke(null, (Object) arguments);
            return run.end(0);
        } catch (InvocationTargetException thrown) {
            if (!(thrown.getCause() instanceof Ended)) { // java itself would print it and end with 1
                System.err.print("Exception in thread \"main\" ");
                thrown.getCause().printStackTrace();
            }
            return run.end(1);
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }
}
