package check_test
import ("testing";"os";"paysandbox/mockserver/tape";"slices")
func TestDump(t *testing.T){
 for n,f := range map[string]func(testing.TB)*stage{"rich":rich,"reh":rehearsal} {
 s:=f(t); tp:=s.tape(); w,_:=os.Create("/tmp/check-"+n+".jsonl"); tape.Write(w,tp.Meta,slices.Values(tp.Entries)); w.Close()}
}
